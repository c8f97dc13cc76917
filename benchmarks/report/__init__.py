"""One self-contained HTML page of results: tables with their controls, plots, provenance."""
