"""Links, keys, codes and tokens: everything that lets its holder act, issued, opened and revoked."""
