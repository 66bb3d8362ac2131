/**
 * Strings that must not be confused: a uid is neither a name nor a version. The brand is optional, so a plain string,
 * as in parsed JSON or in a fixture, can be assigned to any of them, and has that meaning from then on.
 */

/** Never exists at run time. */
declare const brand: unique symbol;

type Branded<Meaning extends string> = string & { readonly [brand]?: Meaning };

/** Identifies one object, also among later objects of its name. */
export type Uid = Branded<'uid'>;

/** The state of one object, or of all objects of a kind. */
export type ResourceVersion = Branded<'resource version'>;

/** A namespace is an object too: its name can be used as any name. */
export type Name = Branded<'name' | 'namespace'>;

export type NamespaceName = Branded<'namespace'>;
