"""What an ε means for a bundle: formulas, measurements, and a report.

There is a module of formulas for each topic. Each formula has its source in its docstring. Symbols: ε is per differing
bit, n is the number of bits of a code, d is a Hamming distance, |W| is the number of words. The extra
`privacy` brings the packages that the reports need in addition to numpy.
"""
