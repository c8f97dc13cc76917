"""The HTML page: no file beside it, no network, readable from a phone to a wide screen."""

from __future__ import annotations

from collections.abc import Sequence

from dwarrow.benchmarks.report.sources import Section

TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{{ title }}</title>
<style>
:root { color-scheme: light; --ink: #22252b; --soft: #5c6370; --rule: #d9d4c7; --paper: #fdfbf6; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
nav ul { padding-left: 1.2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: left; border-bottom: 1px solid var(--rule);
  vertical-align: top; }
td { white-space: nowrap; } td.long { white-space: normal; min-width: 14rem; }
th { white-space: nowrap; color: var(--soft); }
svg { display: block; width: 100%; max-width: 34rem; height: auto; font-size: 11px; }
.label { fill: var(--ink); } .tick { fill: var(--soft); font-size: 10px; }
.grid { stroke: var(--rule); } .reference { stroke: var(--soft); stroke-dasharray: 4 3; }
.bar { stroke-width: 3; } .whisker { stroke-width: 1.5; opacity: .7; }
.curve { fill: none; stroke-width: 2; }
.remarks { color: var(--soft); font-size: .9rem; padding-left: 1.2rem; }
details { font-size: .85rem; color: var(--soft); margin-top: .8rem; }
dt { font-weight: 600; } dd { margin: 0 0 .3rem; }
</style>
</head>
<body>
<h1>{{ title }}</h1>
<nav><ul>
{%- for section in sections %}
<li><a href="#s{{ loop.index }}">{{ section.title }}</a></li>
{%- endfor %}
</ul></nav>
{%- for section in sections %}
<section id="s{{ loop.index }}">
<h2>{{ section.title }}</h2>
{%- for block in section.blocks %}
<h3>{{ block.title }}</h3>
{%- if block.plot %}
{{ block.plot | safe }}
{%- else %}
<div class="wide" tabindex="0"><table>
<thead><tr>{% for cell in block.header %}<th scope="col">{{ cell }}</th>{% endfor %}</tr></thead>
<tbody>
{%- for row in block.rows %}
<tr>{% for cell in row %}<td{% if cell | length > 40 %} class="long"{% endif %}>{{ cell }}</td>
{%- endfor %}</tr>
{%- endfor %}
</tbody></table></div>
{%- endif %}
{%- endfor %}
{%- if section.remarks %}
<ul class="remarks">
{%- for remark in section.remarks %}<li>{{ remark }}</li>{% endfor %}
</ul>
{%- endif %}
<details><summary>Where this comes from: {{ section.source }}</summary><dl>
{%- for name, value in section.facts %}<dt>{{ name }}</dt><dd>{{ value }}</dd>{% endfor %}
</dl></details>
</section>
{%- endfor %}
</body>
</html>
"""


def page(title: str, sections: Sequence[Section]) -> str:
    """Return the page.

    Raises:
        ValueError: Jinja is not installed.
    """
    try:
        from jinja2 import Environment
    except ImportError:
        raise ValueError("a report needs Jinja: pip install 'dwarrow[report]'") from None
    environment = Environment(autoescape=True)
    text: str = environment.from_string(TEMPLATE).render(title=title, sections=sections)
    return text
