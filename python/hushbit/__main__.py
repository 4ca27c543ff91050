"""`python -m hushbit` is the `hushbit` command."""

import sys

from hushbit.cli import main

if __name__ == "__main__":
    sys.exit(main())
