package io.redrive.kafka;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A certificate that a broker signed itself, made by the tool of the JDK.
 *
 * @param port where the broker speaks TLS
 * @param keys the file with key and certificate
 * @param pem the certificate
 */
record Certificate(int port, Path keys, String pem) {

    private static final String PASSWORD = "for-tests-alone";

    static Certificate make(Path folder, int port) throws IOException, InterruptedException {
        Path keys = folder.resolve("broker.p12");
        keytool(
                keys,
                "-genkeypair",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "SAN=ip:127.0.0.1",
                "-validity",
                "2");
        Path pem = folder.resolve("broker.pem");
        keytool(keys, "-exportcert", "-rfc", "-file", pem.toString());
        return new Certificate(port, keys, Files.readString(pem));
    }

    private static void keytool(Path keys, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of(
                "-alias", "broker", "-storetype", "PKCS12", "-keystore", keys.toString(), "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("keytool made no certificate: " + said);
        }
    }

    /** Returns the settings of the broker. */
    List<String> settings() {
        return List.of(
                "listener.name.ssl.ssl.keystore.type=PKCS12",
                "listener.name.ssl.ssl.keystore.location=" + keys,
                "listener.name.ssl.ssl.keystore.password=" + PASSWORD,
                "listener.name.ssl.ssl.key.password=" + PASSWORD);
    }
}
