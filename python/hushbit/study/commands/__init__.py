"""The commands of this room; a module whose name begins with an underscore helps them."""
