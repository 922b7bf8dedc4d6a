package io.redrive.pipelinefiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

/** What kept a connection from being made, where a test cannot bring it about. */
final class ConnectionExceptionTest {

    @Test
    void a_host_without_a_route_to_it_did_not_refuse() {
        ConnectException error = new ConnectException();
        error.initCause(new NoRouteToHostException("No route to host"));

        ConnectionException told = ConnectionException.of(error, "h", "POST http://h/");

        assertThat(told.kind()).isEqualTo("unreachable");
        assertThat(told).hasMessage("no connection: No route to host (POST http://h/)");
    }

    @Test
    void what_java_has_no_words_for_is_a_refusal() {
        ConnectException error = new ConnectException();
        error.initCause(new ClosedChannelException());

        assertThat(ConnectionException.of(error, "h", "POST http://h/").kind()).isEqualTo("econnrefused");
    }
}
