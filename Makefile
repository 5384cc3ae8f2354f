# Everything a newcomer types. Each target makes the environment it needs in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL = $(BIN)/pip install --quiet --constraint constraints.txt --editable

GAME ?= passing_shot

.PHONY: help train test soak learning bench playthroughs clean

help:
	@echo "make train         train an agent for Passing Shot (GAME=name: for another) in about five minutes, and weigh it"
	@echo "make test          the tests"
	@echo "make soak          a million random decisions at every level, and statistics over many matches"
	@echo "make learning      train in a minute and ask for a result"
	@echo "make bench         decisions per second, beside OpenSpiel and PettingZoo"
	@echo "make playthroughs  write the golden matches again, to be reviewed as a diff"

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

train: $(VENV)/bin/python
	$(INSTALL) ".[cli,train]"
	$(BIN)/python train.py configs/$(GAME).yaml

test: $(VENV)/bin/python
	$(INSTALL) ".[test]"
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile

soak: $(VENV)/bin/python
	$(INSTALL) ".[test]"
	$(BIN)/python -m pytest -m "soak or long"

learning: $(VENV)/bin/python
	$(INSTALL) ".[test]"
	$(BIN)/python -m pytest -m learning

bench: $(VENV)/bin/python
	$(INSTALL) ".[bench]"
	$(BIN)/python -m benchmarks.throughput --game $(GAME)

playthroughs: $(VENV)/bin/python
	$(INSTALL) ".[test]"
	$(BIN)/python -m tennis_envs.testing.playthrough --write

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache
