/** Wrapped ports, for suites that also run on them. */
import type { FsPort } from "../../mod.ts";
import { mountFs, overlayFs } from "../../layers/mod.ts";

/** A port, the base folder, and the root of the workspace below it. */
export interface Wrapped {
  readonly fs: FsPort;
  readonly base: string;
  readonly root: string;
}

/** The mount point. */
export const MOUNT_POINT = "/mounted/here and there";

/** The ways to wrap a port. */
export const WRAPPINGS = {
  none: (place: Wrapped): Wrapped => place,
  /** Mounts the folder at another path. */
  mount({ fs, base, root }: Wrapped): Wrapped {
    const mounts = { [MOUNT_POINT]: { fs, root: base } };
    const seen = root === "/" ? root : MOUNT_POINT + root.slice(base.length);
    return { fs: mountFs(mounts), base: MOUNT_POINT, root: seen };
  },
  /** Mounts the folder at its own path. */
  mountInPlace({ fs, base, root }: Wrapped): Wrapped {
    return { fs: mountFs({ [base]: fs }), base, root };
  },
  /** An overlay without edits. */
  overlay({ fs, base, root }: Wrapped): Wrapped {
    return { fs: overlayFs(fs, {}), base, root };
  },
  /** An overlay with new files inside and outside, and no edits of existing ones. */
  overlayOfOthers({ fs, base, root }: Wrapped): Wrapped {
    const edits = {
      [`${base}/ws/unsaved/new.txt`]: "NEW",
      [`${base}/outside/unsaved.txt`]: "SECRET",
      [`${base}/ws/removed.txt`]: null,
      "/elsewhere/unsaved.txt": "SECRET",
    };
    return { fs: overlayFs(fs, edits), base, root };
  },
} satisfies Record<string, (place: Wrapped) => Wrapped>;

/** The name of a wrapping. */
export type Wrapping = keyof typeof WRAPPINGS;
