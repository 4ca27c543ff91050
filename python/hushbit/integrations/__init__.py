"""Small modules for tools that pass text on: `presidio`, `langchain`, `langchain_agents` and `logs`.

What they do is noise that cannot be undone, word by word. It is no detector of personal data: a word can come out as it
was typed, and length and order stay. All but the last need the extra `pipelines`; import them by their names.
"""
