package io.redrive.cli.command;

import io.redrive.core.Time;
import io.redrive.operations.Operations;
import java.net.URI;

/** Gives commands the operations of a server, which {@code --server} names. */
@FunctionalInterface
public interface ServerOpener {

    /** Returns the operations; the first request is sent by the first operation. */
    Operations open(URI server, Credentials credentials, Time time);
}
