package io.redrive.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;

/** The stylesheet, the scripts and the icon: read once, with an address that changes with the content, so that browsers keep them. */
final class Assets {

    private static final String HTMX = "/META-INF/resources/webjars/htmx.org/2.0.10/dist/htmx.min.js";

    private static final Map<String, String> TYPES =
            Map.of("css", "text/css;charset=UTF-8", "js", "text/javascript;charset=UTF-8", "svg", "image/svg+xml");

    /**
     * A file of the console.
     *
     * @param type the content type
     * @param content the bytes
     * @param packed the bytes, compressed with gzip
     * @param tag a text that changes with the content
     */
    record Asset(String type, byte[] content, byte[] packed, String tag) {}

    private final Map<String, Asset> assets = new HashMap<>();

    Assets() {
        add("console.css", "console.css");
        add("console.js", "console.js");
        add("icon.svg", "icon.svg");
        add("htmx.js", HTMX);
    }

    private void add(String name, String resource) {
        byte[] content = read(resource);
        CRC32 sum = new CRC32();
        sum.update(content);
        String ending = name.substring(name.lastIndexOf('.') + 1);
        String tag = Long.toHexString(sum.getValue());
        assets.put(name, new Asset(TYPES.getOrDefault(ending, ""), content, packed(content), tag));
    }

    private static byte[] packed(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] read(String resource) {
        try (InputStream in = Assets.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the console's file " + resource + " is missing on the class path");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Optional<Asset> find(String name) {
        return Optional.ofNullable(assets.get(name));
    }

    /** Returns the address of a file below the mount path. */
    String path(String name) {
        Asset asset = assets.get(name);
        if (asset == null) {
            throw new IllegalArgumentException("no file of the console is called " + name);
        }
        return "/assets/" + name + "?v=" + asset.tag();
    }
}
