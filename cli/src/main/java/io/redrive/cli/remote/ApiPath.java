package io.redrive.cli.remote;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A path of the API below {@code /api/v1}, with parameters. Parts and values are encoded: a part with a slash stays one part.
 *
 * @param path the encoded path
 * @param parameters the encoded parameters
 */
record ApiPath(String path, List<String> parameters) {

    static ApiPath of(String first, Object... parts) {
        StringBuilder path = new StringBuilder("/").append(first);
        for (Object part : parts) {
            path.append('/').append(encoded(String.valueOf(part)));
        }
        return new ApiPath(path.toString(), List.of());
    }

    /** Adds a parameter; null and an empty Optional add none. */
    ApiPath with(String name, @Nullable Object value) {
        Object plain = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        if (plain == null) {
            return this;
        }
        String text = plain instanceof Collection<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
                : plain.toString();
        List<String> more = new ArrayList<>(parameters);
        more.add(name + "=" + encoded(text));
        return new ApiPath(path, more);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public String toString() {
        return "/api/v1" + path + (parameters.isEmpty() ? "" : "?" + String.join("&", parameters));
    }
}
