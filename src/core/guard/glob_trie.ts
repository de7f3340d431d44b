// Runtime-agnostic.
import {
  type Fold,
  type GlobName,
  isDeep,
  type NameTest,
  nameTest,
  textOf,
} from "./glob_name.ts";

/** A node: the state after some names of one or more globs. */
export class GlobNode {
  /** The number of the last glob that ends here, or -1. */
  last = -1;
  /** The node of `**`, which any further name keeps. */
  deep: GlobNode | undefined;
  readonly isDeep: boolean;
  /** The nodes of names without wildcards, by their folds. */
  readonly texts = new Map<string, GlobNode>();
  readonly tests: { readonly test: NameTest; readonly next: GlobNode }[] = [];

  /** Constructs a new instance. */
  constructor(isDeep = false) {
    this.isDeep = isDeep;
  }
}

/** All nodes that a path has reached. */
export interface GlobPlaces {
  readonly nodes: ReadonlySet<GlobNode>;
  /** The number of the last glob that matches the path, or -1. */
  readonly last: number;
}

/**
 * Matches many globs at once, one name at a time, as a nondeterministic
 * automaton: a name costs at most one step per node, and nothing is tried twice.
 * Globs with the same beginning share their nodes; plain text is a map lookup.
 */
export class GlobTrie {
  readonly #globFolds: readonly Fold[];
  readonly #nameFolds: readonly Fold[];

  /**
   * Constructs a new instance: a name matches if any of its folds matches any
   * fold of the glob. Text without wildcards is compared by the last fold alone.
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
      // All folds treat ASCII alike, so one test is enough.
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

  /** Adds the globs that begin at `from` to the nodes that are reached. */
  enter(from: GlobNode, places?: GlobPlaces): GlobPlaces {
    return spread([...places?.nodes ?? [], from]);
  }

  /** Goes on by one name. */
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

/** Adds the nodes that are reached without a name: `a/**` matches `a`, too. */
function spread(from: readonly GlobNode[]): GlobPlaces {
  const nodes = new Set(from);
  let last = -1;
  for (const node of nodes) {
    if (node.deep !== undefined) nodes.add(node.deep);
    last = Math.max(last, node.last);
  }
  return { nodes, last };
}
