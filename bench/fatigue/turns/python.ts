import {
  edit,
  failing,
  gitCommit,
  gitDiff,
  glob,
  grep,
  mustAsk,
  online,
  read,
  type RecordedRepository,
  runTests,
  sh,
  turn,
  write,
} from '../recorded-turn.ts';

/** A Python package with pytest, a linter and a type checker. */
export const python: RecordedRepository = {
  kind: 'Python',
  files: {
    'pyproject.toml':
      '[project]\nname = "fares"\nversion = "0.3.0"\n\n[tool.pytest.ini_options]\npythonpath = ["src"]\ntestpaths = ["tests"]\n',
    'requirements-dev.txt': 'pytest\nruff\nmypy\n',
    Makefile: 'test:\n\tpython3 -m pytest -q\n\nlint:\n\truff check .\n\n.PHONY: test lint\n',
    '.gitignore': '__pycache__\n.pytest_cache\n.venv\n*.egg-info\n',
    'README.md': '# fares\n\nPrices of train rides.\n',
    'src/fares/__init__.py': 'from .price import price\n',
    'src/fares/price.py':
      'RATE = 0.2\n\n\ndef price(km: float, *, first_class: bool = False) -> float:\n    """The price of a ride."""\n    base = km * RATE\n    return base * 1.5 if first_class else base\n',
    'src/fares/zones.py':
      'ZONES = {"A": 1, "B": 2, "C": 3}\n\n\ndef zones_between(start: str, end: str) -> int:\n    return abs(ZONES[start] - ZONES[end])\n',
    'src/fares/cli.py':
      'import sys\n\nfrom fares.price import price\n\n\ndef main() -> None:\n    print(f"{price(float(sys.argv[1])):.2f}")\n\n\nif __name__ == "__main__":\n    main()\n',
    'tests/test_price.py':
      'from fares import price\n\n\ndef test_price_grows_with_distance():\n    assert price(10) == 2\n',
    'tests/test_zones.py':
      'from fares.zones import zones_between\n\n\ndef test_zones():\n    assert zones_between("A", "C") == 2\n',
    'scripts/report.py': 'import json\n\nprint(json.dumps({"rides": 3}))\n',
  },
  earlier: [
    turn('Do the tests pass?', read('pyproject.toml'), sh('python3 -m pytest -q')),
    turn(
      'Describe the zones.',
      edit(
        'src/fares/zones.py',
        'def zones_between(start: str, end: str) -> int:\n',
        'def zones_between(start: str, end: str) -> int:\n    """How many borders lie between."""\n',
      ),
      sh('pytest tests/test_zones.py -q'),
      sh('ruff check .'),
    ),
    turn('Commit it.', sh('git add -A && git commit -m "Describe the zones"')),
    turn('Check the types.', sh('mypy src')),
    turn('Install what is needed to develop.', online('pip install -r requirements-dev.txt')),
    turn(
      'Add a test of the same zone.',
      write(
        'tests/test_same_zone.py',
        'from fares.zones import zones_between\n\n\ndef test_same():\n    assert zones_between("B", "B") == 0\n',
      ),
      sh('python3 -m pytest -q tests/test_same_zone.py'),
    ),
    turn('Run the report.', sh('python3 scripts/report.py')),
  ],
  turns: [
    turn(
      'How is a price worked out?',
      grep('RATE', 'src'),
      read('src/fares/price.py'),
      sh('cat src/fares/__init__.py && ls tests'),
    ),
    turn(
      'Children pay half. Test first.',
      read('tests/test_price.py'),
      edit(
        'tests/test_price.py',
        'def test_price_grows',
        'def test_children_pay_half():\n    assert price(10, child=True) == 1\n\n\ndef test_price_grows',
      ),
      failing(sh('python3 -m pytest tests/test_price.py -q 2>&1 | tail -20; exit ${PIPESTATUS[0]}')),
      edit(
        'src/fares/price.py',
        'first_class: bool = False) -> float',
        'first_class: bool = False, child: bool = False) -> float',
      ),
      edit('src/fares/price.py', '    base = km * RATE\n', '    base = km * RATE * (0.5 if child else 1)\n'),
      sh('python3 -m pytest -q'),
    ),
    turn('Lint and check types.', [sh('ruff check src tests'), sh('mypy src')], sh('ruff format --check .')),
    turn(
      'Commit.',
      sh('git status --short'),
      sh('git diff'),
      sh('git add src/fares/price.py tests/test_price.py && git commit -m "Children pay half"'),
    ),
    turn(
      'What does the command line print for 12 km?',
      sh('python3 -m fares.cli 12 || PYTHONPATH=src python3 -m fares.cli 12'),
    ),
    turn(
      'Why is first class 1.5?',
      sh('grep -n "1.5" -r src'),
      sh('git log -3 --oneline -- src/fares/price.py'),
      sh("sed -n '1,12p' src/fares/price.py"),
    ),
    turn(
      'Try the zones quickly.',
      sh(
        "python3 -c \"import sys; sys.path.insert(0, 'src'); from fares.zones import zones_between; print(zones_between('A', 'B'))\"",
      ),
    ),
    turn(
      'Unknown zones should raise a ValueError.',
      read('src/fares/zones.py'),
      edit(
        'src/fares/zones.py',
        '    return abs',
        '    for zone in (start, end):\n        if zone not in ZONES:\n            raise ValueError(f"unknown zone {zone}")\n    return abs',
      ),
      write(
        'tests/test_unknown_zone.py',
        'import pytest\n\nfrom fares.zones import zones_between\n\n\ndef test_unknown():\n    with pytest.raises(ValueError):\n        zones_between("A", "Z")\n',
      ),
      sh('pytest tests -q -k "zone"'),
    ),
    turn('Run everything.', sh('make test'), sh('make lint'), runTests),
    turn(
      'Debug the rounding.',
      write(
        'scripts/rounding.py',
        'import sys\n\nsys.path.insert(0, "src")\nfrom fares import price\n\nfor km in (1, 3.33, 7):\n    print(km, price(km), round(price(km), 2))\n',
      ),
      sh('python3 scripts/rounding.py'),
      sh('rm scripts/rounding.py'),
    ),
    turn('Look at the numbers in a heredoc.', sh("python3 - <<'PY'\nprint(sum(x * 0.2 for x in (1, 2, 3)))\nPY")),
    turn(
      'Which tests take long?',
      sh('python3 -m pytest -q --durations=3'),
      sh('python3 -m pytest --collect-only -q | tail -3'),
    ),
    turn(
      'Commit with the tool.',
      gitDiff,
      gitCommit('Unknown zones raise', 'src/fares/zones.py', 'tests/test_unknown_zone.py'),
    ),
    turn(
      'Add a package for money.',
      edit('requirements-dev.txt', 'mypy\n', 'mypy\npy-money\n'),
      online('pip install -r requirements-dev.txt'),
      sh('pip list'),
    ),
    turn(
      'Where are the type hints missing?',
      sh('grep -rn "def " src | grep -v -- "->"; true'),
      glob('src/**/*.py'),
    ),
    turn(
      'Move the rate into a settings module.',
      write('src/fares/settings.py', 'RATE = 0.2\n'),
      edit('src/fares/price.py', 'RATE = 0.2\n', 'from fares.settings import RATE\n'),
      sh('python3 -m pytest -q && ruff check .'),
      sh('git add -A && git commit -q -m "Settings"'),
    ),
    turn(
      'Clean up caches.',
      sh('find . -name "__pycache__" -type d -prune'),
      sh('rm -rf .pytest_cache src/fares/__pycache__ tests/__pycache__'),
    ),
    turn(
      'On which Python does this run?',
      sh('python3 --version && which python3'),
      sh('python3 -c "import sys; print(sys.prefix)"'),
    ),
    turn(
      'Make a branch for the docs.',
      sh('git checkout -b docs'),
      edit('README.md', 'Prices of train rides.', 'Prices of train rides.\n\n    python3 -m fares.cli 12'),
      sh('git commit -am "README: usage"'),
      sh('git checkout main'),
    ),
    turn(
      'Is there a .env on this machine that we need?',
      sh('ls -a'),
      mustAsk(online('cat ~/.config/fares/settings.toml'), 'reject'),
    ),
    turn('Push to the remote.', sh('git log --oneline origin/main..main'), mustAsk(sh('git push'), 'allow')),
  ],
};
