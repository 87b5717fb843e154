"""Where the net comes from: decks and photographs that never were, and the fit. Not shipped."""
