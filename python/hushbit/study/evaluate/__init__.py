"""Redraws the figures of the BRR and TEM papers on labeled text: utility, membership inference, inversion, time, size.

The papers: Carvalho et al., "BRR: Preserving privacy of text data efficiently on device", 2021, and "TEM: High utility
metric differential privacy on text", SDM 2023. The extra `evaluate` brings what this needs beyond numpy.
"""
