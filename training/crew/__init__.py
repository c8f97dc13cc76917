"""Objects that live with workers, in threads, processes or Ray, behind one interface."""

from dwarrow.training.crew.choose import ExecutorName, backend_for, settle
from dwarrow.training.crew.commons import Commons
from dwarrow.training.crew.crew import Backend, Crew, Recipe, Request, say_on_stderr

__all__ = [
    "Backend",
    "Commons",
    "Crew",
    "ExecutorName",
    "Recipe",
    "Request",
    "backend_for",
    "say_on_stderr",
    "settle",
]
