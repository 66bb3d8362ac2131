/**
 * Strings that must not stand in for each other: a uid is no name and no version. The brand is optional, so a plain string, as
 * in parsed JSON or in a fixture, takes the meaning of the place where it is put, and keeps it from then on.
 */

/** Never there at run time. */
declare const brand: unique symbol;

type Branded<Meaning extends string> = string & { readonly [brand]?: Meaning };

/** Identifies one object, also among those that have its name later. */
export type Uid = Branded<'uid'>;

/** The state of one object, or of all objects of a kind. */
export type ResourceVersion = Branded<'resource version'>;

/** A namespace is an object too: its name may stand wherever a name may. */
export type Name = Branded<'name' | 'namespace'>;

export type NamespaceName = Branded<'namespace'>;
