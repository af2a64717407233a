"""Choose the blocks that an estimate executes, and let the others change memory meanwhile."""
