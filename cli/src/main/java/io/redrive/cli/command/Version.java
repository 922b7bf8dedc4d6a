package io.redrive.cli.command;

import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar. */
public final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"redrive " + number(), "Java " + System.getProperty("java.version")};
    }

    /** Returns the version; {@code (development)} for classes that are not in a jar. */
    public static String number() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(development)" : version;
    }
}
