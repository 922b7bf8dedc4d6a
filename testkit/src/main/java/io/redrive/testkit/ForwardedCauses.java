package io.redrive.testkit;

import io.redrive.events.Causes;
import io.redrive.events.OperatorCommand;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CauseChange;
import io.redrive.events.cause.CausePlace;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Passes each call on to the causes of a store through a {@link ForwardingStore}. */
record ForwardedCauses(Causes target, ForwardingStore through) implements Causes {

    @Override
    public List<Cause> latest(CausePlace after, int limit) {
        return through.forward("list causes", () -> target.latest(after, limit));
    }

    @Override
    public List<Cause> assigned() {
        return through.forward("list assigned causes", target::assigned);
    }

    @Override
    public List<Cause> decided() {
        return through.forward("list decided causes", target::decided);
    }

    @Override
    public Optional<Cause> find(String fingerprint) {
        return through.forward("find cause", () -> target.find(fingerprint));
    }

    @Override
    public Optional<Cause> change(String fingerprint, CauseChange change, OperatorCommand command, Instant now) {
        return through.forward("change cause", () -> target.change(fingerprint, change, command, now));
    }

    @Override
    public int merge(String from, String into, int limit, OperatorCommand command, Instant now) {
        return through.forward("merge causes", () -> target.merge(from, into, limit, command, now));
    }

    @Override
    public int expire(Instant now) {
        return through.forward("expire causes", () -> target.expire(now));
    }
}
