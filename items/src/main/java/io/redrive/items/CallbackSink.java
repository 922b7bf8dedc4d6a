package io.redrive.items;

import java.util.List;
import java.util.Optional;

/** Passes results to a consumer and keeps no position. */
final class CallbackSink<T> implements Sink<T> {

    private final BatchConsumer<T> consumer;

    CallbackSink(BatchConsumer<T> consumer) {
        this.consumer = consumer;
    }

    @Override
    public String name() {
        return "callback";
    }

    @Override
    public String open(Optional<String> position) {
        return "";
    }

    @Override
    public String write(List<Result<T>> results) throws Exception {
        consumer.accept(results);
        return "";
    }
}
