package io.redrive.server.command;

import io.redrive.core.SettingException;
import io.redrive.events.StoreException;
import io.redrive.jdbc.ConnectionSecrets;
import java.net.BindException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.web.server.PortInUseException;

/** Tells why a server did not start: in one line where the reason is known, with the stack trace in the log otherwise. */
final class StartFailure {

    private static final Log LOG = LogFactory.getLog(StartFailure.class);

    private StartFailure() {}

    /** Returns true when a setting is wrong, which only the start could find out: a key file that cannot be read, for example. */
    static boolean isWrongSetting(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SettingException) {
                return true;
            }
        }
        return false;
    }

    static String describe(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof PortInUseException inUse) {
                return "port " + inUse.getPort()
                        + " is in use, maybe by another server; stop it, or choose another port with --port or http.port";
            }
            if (each instanceof BindException) {
                return "cannot listen on the address: " + each.getMessage()
                        + "; choose an address of this machine with --address or http.address";
            }
            if (each instanceof StoreException || each instanceof IllegalArgumentException) {
                return ConnectionSecrets.hidden(String.valueOf(each.getMessage()));
            }
        }
        LOG.error("The server did not start", failure);
        return ConnectionSecrets.hidden(String.valueOf(failure)) + "; the log has the details";
    }
}
