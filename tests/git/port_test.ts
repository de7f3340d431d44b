import { attackRevision, LEFT_OUT } from "../support/attack_revision.ts";
import { attackSuite } from "../suites/attacks.ts";
import { fsPortSuite } from "../suites/fs_port.ts";
import { inRevision } from "../support/git_place.ts";

fsPortSuite("gitFs()", inRevision);

attackSuite("gitFs()", attackRevision, LEFT_OUT);
