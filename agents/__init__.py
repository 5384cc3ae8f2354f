"""All that needs torch, and the agents that it produced."""
