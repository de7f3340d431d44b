// Runtime-agnostic.
import {
  type Fold,
  type GlobName,
  isDeep,
  type NameTest,
  nameTest,
  textOf,
} from "./glob_name.ts";

/** A place in globs, after some of their names. */
export class GlobNode {
  /** The globs that end here: the number of the last one, or -1. */
  last = -1;
  /** Where `**` leads: that node stays with each further name. */
  deep: GlobNode | undefined;
  readonly isDeep: boolean;
  /** Where names without wildcards lead, by their folds. */
  readonly texts = new Map<string, GlobNode>();
  readonly tests: { readonly test: NameTest; readonly next: GlobNode }[] = [];

  /** Constructs a new instance. */
  constructor(isDeep = false) {
    this.isDeep = isDeep;
  }
}

/** Where a path has come to in all globs. */
export interface GlobPlaces {
  readonly nodes: ReadonlySet<GlobNode>;
  /** The number of the last glob that matches the path, or -1. */
  readonly last: number;
}

/**
 * Globs that are matched together, a name at a time.
 *
 * A path is in all the places that it can be in at once, so nothing is tried
 * twice: a name costs no more than there are places, and those with the same
 * beginning, as `**`, are one. Globs that say the same text are found by it.
 */
export class GlobTrie {
  readonly #globFolds: readonly Fold[];
  readonly #nameFolds: readonly Fold[];

  /**
   * Constructs a new instance: a name matches if any of its folds is matched by
   * any of the glob's. Text without wildcards is compared by the last one alone.
   */
  constructor(globFolds: readonly Fold[], nameFolds: readonly Fold[]) {
    this.#globFolds = globFolds;
    this.#nameFolds = nameFolds;
  }

  /** Adds a glob that begins at `from`; its number is higher than those before. */
  add(from: GlobNode, names: readonly GlobName[], number: number): void {
    const end = names.reduce((node, name) => this.#go(node, name), from);
    end.last = number;
  }

  #go(node: GlobNode, name: GlobName): GlobNode {
    if (isDeep(name)) {
      return node.deep ??= new GlobNode(true);
    }
    const text = textOf(name);
    if (text === undefined) {
      const next = new GlobNode();
      // Each fold leaves ASCII the same, as nearly all globs are.
      const isAscii = /^[\0-\x7f]*$/.test(JSON.stringify(name));
      for (const fold of this.#globFolds.slice(isAscii ? -1 : 0)) {
        node.tests.push({ test: nameTest(name, fold), next });
      }
      return next;
    }
    const key = this.#globFolds.at(-1)!(text);
    const next = node.texts.get(key) ?? new GlobNode();
    node.texts.set(key, next);
    return next;
  }

  /** Where the globs that begin at `from` begin, beside other places. */
  enter(from: GlobNode, places?: GlobPlaces): GlobPlaces {
    return spread([...places?.nodes ?? [], from]);
  }

  /** Where one more name leads to. */
  step(places: GlobPlaces, name: string): GlobPlaces {
    const forms = new Set(this.#nameFolds.map((fold) => fold(name)));
    const next: GlobNode[] = [];
    for (const node of places.nodes) {
      if (node.isDeep) next.push(node);
      for (const form of forms) {
        const named = node.texts.get(form);
        if (named !== undefined) next.push(named);
        for (const { test, next: found } of node.tests) {
          if (test(form)) next.push(found);
        }
      }
    }
    return spread(next);
  }
}

/** The places with those that are reached without a name: `a/**` matches `a`, too. */
function spread(from: readonly GlobNode[]): GlobPlaces {
  const nodes = new Set(from);
  let last = -1;
  for (const node of nodes) {
    if (node.deep !== undefined) nodes.add(node.deep);
    last = Math.max(last, node.last);
  }
  return { nodes, last };
}
