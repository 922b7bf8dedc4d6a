package io.redrive.server.webhook.http;

import io.redrive.core.HasKind;
import java.io.IOException;
import java.net.InetAddress;

/** A host whose address no route may reach. */
public final class ForbiddenAddressException extends IOException implements HasKind {

    private static final long serialVersionUID = 1L;

    ForbiddenAddressException(String host, InetAddress address, String kind) {
        super("host '" + host + "' has the address " + address.getHostAddress() + " (" + kind
                + "), which no route may reach; add the address to webhooks.allow if that is intended");
    }

    @Override
    public String kind() {
        return "forbidden_address";
    }
}
