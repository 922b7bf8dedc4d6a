package io.redrive.cli.remote;

import io.redrive.cli.command.JsonObject;
import io.redrive.core.DurationText;
import io.redrive.core.Time;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveRefusedException;
import io.redrive.events.RedrivenLetter;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Preview;
import io.redrive.operations.RedriveOperations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** {@link RedriveOperations} of a server. */
final class RemoteRedrives implements RedriveOperations {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

    private final Api api;
    private final Time time;

    RemoteRedrives(Api api, Time time) {
        this.api = api;
        this.time = time;
    }

    @Override
    public RedriveOperation preview(LetterSelection letters, RedrivePlan plan, Consumer<RedriveOperation> progress) {
        JsonObject body = LetterShapes.redriveBody(letters.atMost(Math.min(plan.limit(), letters.limit())))
                .put("canary", plan.isCanary())
                .put("stage_limit", DurationText.format(plan.stageLimit()));
        if (plan.perSecond() > 0) {
            body.put("per_second", plan.perSecond());
        }
        return RedriveShapes.operation(api.post(ApiPath.of("redrives"), body));
    }

    @Override
    public long leftOut(LetterSelection letters) {
        return looked(letters).number("left_out");
    }

    @Override
    public Preview look(LetterSelection letters) {
        return LetterShapes.preview(looked(letters));
    }

    @Override
    public long overtaken(LetterSelection letters) {
        return looked(letters).number("overtaken");
    }

    private Fields looked(LetterSelection letters) {
        return api.post(ApiPath.of("redrives", "look"), LetterShapes.redriveBody(letters));
    }

    @Override
    public RedriveOperation start(String id) {
        return change(id, "start");
    }

    @Override
    public RedriveOperation pause(String id) {
        return change(id, "pause");
    }

    @Override
    public RedriveOperation resume(String id) {
        return change(id, "resume");
    }

    @Override
    public RedriveOperation cancel(String id) {
        return change(id, "cancel");
    }

    private RedriveOperation change(String id, String verb) {
        return RedriveShapes.operation(api.post(ApiPath.of("redrives", id, verb), new JsonObject()));
    }

    @Override
    public RedriveOperation dismiss(String id) {
        return api.change("DELETE", ApiPath.of("redrives", id), new JsonObject())
                .map(RedriveShapes::operation)
                .orElseThrow(() -> RedriveRefusedException.missing(id));
    }

    @Override
    public List<RedriveOperation> list(int limit) {
        return api.get(ApiPath.of("redrives").with("limit", limit)).list("items", RedriveShapes::operation);
    }

    @Override
    public Optional<RedriveOperation> find(String id) {
        return api.find(ApiPath.of("redrives", id)).map(RedriveShapes::operation);
    }

    @Override
    public List<RedrivenLetter> letters(String id, long afterLetter, int limit) {
        ApiPath path =
                ApiPath.of("redrives", id, "letters").with("limit", limit).with("cursor", afterLetter);
        return api.get(path).list("items", RedriveShapes::letter);
    }

    /** Looks twice a second. The server is a node of its store, and carries the operation on. */
    @Override
    public Optional<RedriveOperation> follow(
            String id, Predicate<RedriveOperation> until, Consumer<RedriveOperation> progress)
            throws InterruptedException {
        Optional<RedriveOperation> found = find(id);
        while (found.isPresent()) {
            progress.accept(found.get());
            if (until.test(found.get())) {
                return found;
            }
            time.sleep(BETWEEN_LOOKS);
            found = find(id);
        }
        return found;
    }
}
