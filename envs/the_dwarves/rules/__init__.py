"""The rules by chapter, in the order of the rulebook.

A turn is a stack of frames (`stack`): a rule at work pushes the rules it sets off and goes on when
they are done; whenever somebody has a choice, a frame asks one question. `engine` runs the stack.
"""
