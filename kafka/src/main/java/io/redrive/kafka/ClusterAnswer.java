package io.redrive.kafka;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/** Waits for answers of a cluster, and explains why there is none. */
final class ClusterAnswer {

    private static final long ANSWER_SECONDS = 30;

    private ClusterAnswer() {}

    /**
     * Returns the answer.
     *
     * @param client the settings of the client that asked
     * @throws KafkaException if no broker answers, or the cluster refuses; the cause is Kafka's own exception
     */
    static <T> T of(KafkaFuture<T> future, Map<String, Object> client) {
        try {
            return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the cluster was asked", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof org.apache.kafka.common.errors.TimeoutException) {
                throw silent(client, e.getCause());
            }
            throw new KafkaException("the cluster refused: " + e.getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw silent(client, e);
        }
    }

    private static KafkaException silent(Map<String, Object> client, Throwable cause) {
        return new KafkaException(
                "no broker answers at bootstrap servers " + client.get("bootstrap.servers")
                        + "; check the addresses, the network and the security settings",
                cause);
    }
}
