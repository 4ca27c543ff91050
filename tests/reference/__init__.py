"""An independent reference of Hushbit in Python and numpy, written from docs/ alone.

It shares no code with the product: neither `hushbit` nor its native module is imported here. It favors the obvious
over the fast. The golden vectors of tests/vectors are its output, and the core has to agree with them byte for byte.
"""
