"""What an ε means for a bundle: formulas, measurements, and the report made of them.

The formulas are in a module for each topic, each with its source in its docstring. Symbols: ε is per differing bit, n
the bits of a code, d a Hamming distance, |W| the number of words. The extra `hushbit[privacy]` brings what the reports
need beyond numpy.
"""
