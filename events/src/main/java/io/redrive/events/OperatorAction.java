package io.redrive.events;

import java.time.Instant;

/**
 * What an operator did, for the record.
 *
 * @param at when
 * @param operator who
 * @param action redrive, edit, purge, import, or what else the store knows
 * @param detail what exactly, in words
 * @param letters how many letters it touched
 */
public record OperatorAction(Instant at, String operator, String action, String detail, long letters) {}
