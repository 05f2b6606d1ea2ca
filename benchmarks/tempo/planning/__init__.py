"""How the bots plan by tapping: plans as people make them, from one view, turned into orders by the same compiler."""
