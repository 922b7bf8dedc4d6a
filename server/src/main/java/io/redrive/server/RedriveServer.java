package io.redrive.server;

import org.springframework.boot.SpringApplication;

/** Starts a server. */
public final class RedriveServer {

    private RedriveServer() {}

    /** Runs the server until the process is told to stop. */
    public static void main(String[] args) {
        SpringApplication.run(ServerApplication.class, args);
    }
}
