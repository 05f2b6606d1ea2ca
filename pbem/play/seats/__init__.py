"""Who sits where and what they arrange: opening, invitations, sitters, substitutes, talk, proposals."""
