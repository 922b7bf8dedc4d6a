package io.redrive.pipelinefiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

/** Failed connections whose causes a test with real sockets cannot produce. */
final class ConnectionExceptionTest {

    @Test
    void a_host_without_a_route_is_unreachable() {
        ConnectException error = new ConnectException();
        error.initCause(new NoRouteToHostException("No route to host"));

        ConnectionException told = ConnectionException.of(error, "h", "POST http://h/");

        assertThat(told.kind()).isEqualTo("unreachable");
        assertThat(told).hasMessage("no connection: No route to host (POST http://h/)");
    }

    @Test
    void a_connect_exception_without_a_message_is_a_refusal() {
        ConnectException error = new ConnectException();
        error.initCause(new ClosedChannelException());

        assertThat(ConnectionException.of(error, "h", "POST http://h/").kind()).isEqualTo("econnrefused");
    }
}
