package io.redrive.pipelinefiles;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Reads a response body up to a limit and drops the rest, to bound the memory of an answer. */
final class LimitedBody implements BodySubscriber<LimitedBody.Bytes> {

    private final int limit;
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final CompletableFuture<Bytes> body = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    /** The bytes up to the limit; {@code cut} when the body has more. */
    record Bytes(byte[] bytes, boolean cut) {}

    LimitedBody(int limit) {
        this.limit = limit;
    }

    @Override
    public CompletionStage<Bytes> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscribed) {
        subscription = subscribed;
        subscribed.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            byte[] next = new byte[Math.min(buffer.remaining(), limit - taken.size())];
            boolean cut = next.length < buffer.remaining();
            buffer.get(next);
            taken.writeBytes(next);
            if (cut) {
                Objects.requireNonNull(subscription).cancel();
                body.complete(new Bytes(taken.toByteArray(), true));
                return;
            }
        }
    }

    @Override
    public void onError(Throwable error) {
        body.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
        body.complete(new Bytes(taken.toByteArray(), false));
    }
}
