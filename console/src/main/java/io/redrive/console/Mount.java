package io.redrive.console;

import io.redrive.items.store.RunStore;
import io.redrive.operations.Accounts;
import io.redrive.operations.WebhookRoutes;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.ThresholdsInForce;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.support.RequestDataValueProcessor;

/**
 * Where the console is mounted.
 *
 * @param prefix the mount path without a slash at the end; empty for the root
 * @param assets the files beside the pages
 * @param forms the application's processor of forms, which knows the token of Spring Security; null without one
 * @param routes the routes of webhooks that the application serves; null without any
 * @param policies the retry policies that this process was started with
 * @param thresholds the alert thresholds of this process
 * @param signOut finds the path that ends the session of a request
 * @param accounts the users of the process, where the process checks tokens; null where the application has a login of its own
 * @param runs the item runs of the application; null without any
 * @param storeAddress the file or the URL of the store for commands, without secrets
 * @param streams true when pages may open a stream of live updates
 */
record Mount(
        String prefix,
        Assets assets,
        Supplier<@Nullable RequestDataValueProcessor> forms,
        Supplier<@Nullable WebhookRoutes> routes,
        Supplier<EventPolicies> policies,
        ThresholdsInForce thresholds,
        Function<HttpServletRequest, Optional<String>> signOut,
        Supplier<@Nullable Accounts> accounts,
        Supplier<@Nullable RunStore> runs,
        String storeAddress,
        boolean streams) {

    /** Stands for an address that is not known. */
    private static final String UNKNOWN = "STORE";

    /** Returns the address of a store for a command line: without the part of a URL that may hold a password. */
    static String address(@Nullable String path, @Nullable String url) {
        if (url == null) {
            return path == null ? UNKNOWN : path;
        }
        boolean secret = url.contains("@");
        String bare = url.replaceAll("\\?.*", "");
        return secret ? UNKNOWN : bare;
    }

    /** Returns the hidden fields that the application wants in each form. */
    Map<String, String> applicationFields(HttpServletRequest request) {
        RequestDataValueProcessor processor = forms.get();
        Map<String, String> fields = processor == null ? null : processor.getExtraHiddenFields(request);
        return fields == null ? Map.of() : fields;
    }
}
