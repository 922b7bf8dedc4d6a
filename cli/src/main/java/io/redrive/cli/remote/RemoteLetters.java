package io.redrive.cli.remote;

import io.redrive.cli.command.CommandFailed;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.LetterVersion;
import io.redrive.operations.LetterImport;
import io.redrive.operations.LetterOperations;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.NameDifferences;
import io.redrive.operations.Preview;
import io.redrive.pipeline.LetterArchive;
import io.redrive.pipeline.LetterRetention;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** {@link LetterOperations} of a server. */
final class RemoteLetters implements LetterOperations {

    private static final String JSON_LINES = "application/x-ndjson";
    /** A request stays below the largest body that servers take by default, 16 MB. */
    private static final int CHARACTERS_AT_ONCE = 4_000_000;

    private final Api api;

    RemoteLetters(Api api) {
        this.api = api;
    }

    @Override
    public List<DeadLetter> newest(LetterFilter filter, long beforeId, int limit) {
        ApiPath path = page(filter, limit).with("order", "newest").with("form", "whole");
        return letters(beforeId == Long.MAX_VALUE ? path : path.with("cursor", beforeId));
    }

    @Override
    public List<DeadLetter> oldest(LetterFilter filter, long afterId, int limit) {
        return letters(page(filter, limit)
                .with("order", "oldest")
                .with("form", "whole")
                .with("cursor", afterId));
    }

    @Override
    public List<DeadLetter> oldestWithHistory(LetterFilter filter, long afterId, int limit) {
        return letters(page(filter, limit)
                .with("order", "oldest")
                .with("form", "history")
                .with("cursor", afterId));
    }

    private static ApiPath page(LetterFilter filter, int limit) {
        return LetterShapes.with(ApiPath.of("letters"), filter).with("limit", limit);
    }

    private List<DeadLetter> letters(ApiPath path) {
        return api.get(path).list("items", LetterShapes::letter);
    }

    @Override
    public long count(LetterFilter filter) {
        return api.get(LetterShapes.with(ApiPath.of("letters", "count"), filter))
                .number("letters");
    }

    @Override
    public List<LetterGroup> groups(LetterFilter filter, int limit) {
        ApiPath path = LetterShapes.with(ApiPath.of("letters", "groups"), filter);
        return api.get(path.with("limit", limit)).list("items", LetterShapes::group);
    }

    @Override
    public Optional<DeadLetter> find(long id) {
        return api.find(ApiPath.of("letters", id)).map(LetterShapes::letter);
    }

    @Override
    public Optional<NameDifferences> differences(long id) {
        return api.find(ApiPath.of("letters", id, "differences")).map(CauseShapes::differences);
    }

    @Override
    public List<LetterVersion> versions(long id) {
        return api.find(ApiPath.of("letters", id, "versions"))
                .map(found -> found.list("items", LetterShapes::version))
                .orElse(List.of());
    }

    @Override
    public Preview preview(LetterSelection selection) {
        return LetterShapes.preview(api.post(ApiPath.of("letters", "preview"), LetterShapes.body(selection)));
    }

    @Override
    public boolean edit(long id, byte[] payload) {
        return edit(ApiPath.of("letters", id, "payload"), payload);
    }

    @Override
    public boolean editUnchecked(long id, byte[] payload) {
        return edit(ApiPath.of("letters", id, "payload").with("unchecked", true), payload);
    }

    private boolean edit(ApiPath path, byte[] payload) {
        return api.change("PUT", path, new HttpTransport.Body(payload, "application/octet-stream"))
                .isPresent();
    }

    @Override
    public long purge(Preview preview, LongConsumer progress) {
        long purged = api.post(ApiPath.of("letters", "purge"), LetterShapes.body(preview))
                .number("purged");
        progress.accept(purged);
        return purged;
    }

    @Override
    public List<LetterArchive.Sweep> retire(LetterRetention retention, LongConsumer progress) {
        throw new CommandFailed(
                "dlq retire must be given --store: it writes files beside the store. A server retires letters"
                        + " by itself with redrive.retention in its configuration");
    }

    @Override
    public LetterImport beginImport(String from) {
        return new RemoteImport(from);
    }

    /** Sends each page in requests of a limited size. */
    private final class RemoteImport implements LetterImport {

        private final ApiPath path;
        private long offered;
        private long taken;

        RemoteImport(String from) {
            path = ApiPath.of("letters", "import").with("from", from);
        }

        @Override
        public void add(List<DeadLetter> letters) {
            StringBuilder lines = new StringBuilder();
            for (DeadLetter letter : letters) {
                lines.append(DeadLetterJson.write(letter)).append('\n');
                if (lines.length() > CHARACTERS_AT_ONCE) {
                    send(lines);
                }
            }
            if (!lines.isEmpty()) {
                send(lines);
            }
        }

        private void send(StringBuilder lines) {
            Fields answer = api.change("POST", path, HttpTransport.Body.of(lines.toString(), JSON_LINES))
                    .orElseThrow();
            offered += answer.number("offered");
            taken += answer.number("imported");
            lines.setLength(0);
        }

        @Override
        public long offered() {
            return offered;
        }

        @Override
        public long taken() {
            return taken;
        }
    }
}
