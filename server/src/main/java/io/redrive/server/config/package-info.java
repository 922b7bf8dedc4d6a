/**
 * The configuration of a server: a YAML file whose keys are the settings of the starter and of the server, without the prefix {@code
 * redrive}. Environment variables such as {@code REDRIVE_HTTP_PORT} override the file.
 */
@NullMarked
package io.redrive.server.config;

import org.jspecify.annotations.NullMarked;
