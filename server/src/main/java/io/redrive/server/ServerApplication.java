package io.redrive.server;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The beans of a server: everything below this package, and the starter's store, settings and pipeline. */
@SpringBootApplication
public class ServerApplication {}
