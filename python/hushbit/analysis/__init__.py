"""The analyst's side: what many people's releases tell."""
