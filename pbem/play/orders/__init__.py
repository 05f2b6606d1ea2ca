"""What players send: orders, standing orders, lookahead, and taking back."""
