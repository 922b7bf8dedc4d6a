/**
 * Who may send requests: passwords of the configuration and tokens of the store become a {@link io.redrive.server.access.Caller}. The
 * server keeps no session and sets no cookie; a browser asks for the password itself.
 */
@NullMarked
package io.redrive.server.access;

import org.jspecify.annotations.NullMarked;
