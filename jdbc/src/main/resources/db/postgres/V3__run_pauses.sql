-- Until when servers asked that a stage not be called, for all processes that share a run: a JSON object by stage.
ALTER TABLE runs ADD COLUMN pauses text;
