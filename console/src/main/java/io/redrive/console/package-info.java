/**
 * The operator's web pages: how things are, which dead letters there are and why, and how to repair and redrive them. The pages stand
 * on the facade {@link io.redrive.operations.Operations} alone and mount in any Spring Boot application that has an event store. The
 * terms, in the order in which a reader meets them:
 *
 * <dl>
 *   <dt>mount path</dt>
 *   <dd>The path of the application below which all pages lie, {@code /redrive} unless set.
 *   <dt>visit</dt>
 *   <dd>One request of one operator: the operations that the operator may use, the time, and the links of the pages.
 *   <dt>page</dt>
 *   <dd>A handler for the requests of one part of the console, with a template and the records that the template shows.
 *   <dt>notice</dt>
 *   <dd>A sentence about the last command, shown once on the next page.
 *   <dt>form token</dt>
 *   <dd>A random text in a cookie and in each form; a command without both is refused.
 *   <dt>live part</dt>
 *   <dd>The part of a page that the browser fetches again every few seconds.
 *   <dt>scope</dt>
 *   <dd>The letters that a command is about, as written in the address of a page: ids, or a filter.
 * </dl>
 */
@NullMarked
package io.redrive.console;

import org.jspecify.annotations.NullMarked;
