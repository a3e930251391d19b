"""The notebook in examples/: runs its cells, stores their output, and turns it into a page of the site."""

import ast
import base64
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[1] / "examples" / "mathematics.ipynb"
Outputs = list[dict[str, Any]]


def read() -> dict[str, Any]:
    """Return the stored notebook."""
    stored: dict[str, Any] = json.loads(NOTEBOOK.read_text("utf-8"))
    return stored


def run(notebook: dict[str, Any]) -> list[Outputs]:
    """Run every code cell in order, in one namespace, and return the output of each."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [_shown("".join(cell["source"]), namespace, f"cell {number}") for number, cell in enumerate(cells, 1)]


def _shown(source: str, namespace: dict[str, Any], place: str) -> Outputs:
    parsed = ast.parse(source, place)
    last = parsed.body[-1]
    if isinstance(last, ast.Expr):
        parsed.body.pop()
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(parsed, place, "exec"), namespace)
        value = (
            eval(compile(ast.Expression(last.value), place, "eval"), namespace) if isinstance(last, ast.Expr) else None
        )
    outputs: Outputs = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue()})
    if value is not None:
        outputs.append({"output_type": "display_data", "data": _data(value), "metadata": {}})
    return outputs


def _data(value: Any) -> dict[str, str]:
    if hasattr(value, "savefig"):
        drawn = io.BytesIO()
        value.savefig(drawn, format="png", dpi=110, bbox_inches="tight")
        return {"image/png": base64.b64encode(drawn.getvalue()).decode(), "text/plain": "a plot"}
    data = {"text/plain": repr(value)}
    return {"text/html": value._repr_html_(), **data} if hasattr(value, "_repr_html_") else data


def markdown() -> str:
    """Return the notebook as a page: its text, its code and each cell's output."""
    parts = []
    for cell in read()["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        else:
            parts += [f"```python\n{source}\n```", *map(_page, cell["outputs"])]
    return "\n\n".join(parts)


def _page(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return f"```text\n{output['text'].rstrip()}\n```"
    data = output["data"]
    if "image/png" in data:
        return f'<img alt="" src="data:image/png;base64,{data["image/png"]}">'
    if "text/html" in data:
        return f'<div class="cells">{data["text/html"]}</div>'
    return f"```text\n{data['text/plain']}\n```"


def store() -> None:
    """Run the notebook and store its output."""
    notebook = read()
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, outputs) in enumerate(zip(code, run(notebook), strict=True), 1):
        cell.update(outputs=outputs, execution_count=number)
    NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    store()
