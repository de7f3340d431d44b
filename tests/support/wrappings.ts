/** Ports in other ports, for suites that must hold of those as well. */
import { type FsPort, mountFs, overlayFs } from "../../mod.ts";

/** A port, the folder that holds everything, and the workspace's root in it. */
export interface Wrapped {
  readonly fs: FsPort;
  readonly base: string;
  readonly root: string;
}

/** Where a mounted folder is seen. */
export const MOUNT_POINT = "/mounted/here and there";

/** Each way to put a port into another. */
export const WRAPPINGS = {
  none: (place: Wrapped): Wrapped => place,
  /** The folder is seen at another path. */
  mount({ fs, base, root }: Wrapped): Wrapped {
    const mounts = { [MOUNT_POINT]: { fs, root: base } };
    const seen = root === "/" ? root : MOUNT_POINT + root.slice(base.length);
    return { fs: mountFs(mounts), base: MOUNT_POINT, root: seen };
  },
  /** The folder is seen at its own path. */
  mountInPlace({ fs, base, root }: Wrapped): Wrapped {
    return { fs: mountFs({ [base]: fs }), base, root };
  },
  /** Nothing is edited. */
  overlay({ fs, base, root }: Wrapped): Wrapped {
    return { fs: overlayFs(fs, {}), base, root };
  },
  /** Files are edited inside and outside, but none of those that are there. */
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

/** The name of a way to wrap. */
export type Wrapping = keyof typeof WRAPPINGS;
