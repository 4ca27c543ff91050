"""The commands that use a bundle on texts."""
