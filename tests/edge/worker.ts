// The worker that runs the pure tests: each file named here runs at the edge as well.
import "../abort_test.ts";
import "../awaitable_test.ts";
import "../bad_input_test.ts";
import "../bad_page_options_test.ts";
import "../call_test.ts";
import "../changing_tree_test.ts";
import "../cli_color_test.ts";
import "../cli_target_test.ts";
import "../cli_walk_test.ts";
import "../codex_arguments_test.ts";
import "../codex_block_test.ts";
import "../codex_checks_test.ts";
import "../codex_costs_test.ts";
import "../codex_failures_test.ts";
import "../codex_indentation_test.ts";
import "../codex_lines_test.ts";
import "../codex_past_end_test.ts";
import "../codex_paths_test.ts";
import "../codex_read_file_test.ts";
import "../codex_vectors_test.ts";
import "../codex_walk_test.ts";
import "../deny_test.ts";
import "../deny_modes_test.ts";
import "../glob_test.ts";
import "../errno_test.ts";
import "../errors_test.ts";
import "../faults_test.ts";
import "../faults_changes_test.ts";
import "../faults_versions_test.ts";
import "../forge_arguments_test.ts";
import "../forge_binary_test.ts";
import "../forge_checks_test.ts";
import "../forge_config_test.ts";
import "../forge_costs_test.ts";
import "../forge_failures_test.ts";
import "../forge_limits_test.ts";
import "../forge_random_test.ts";
import "../forge_read_test.ts";
import "../forge_view_test.ts";
import "../frame_test.ts";
import "../frame_read_test.ts";
import "../hidden_test.ts";
import "../hidden_paths_test.ts";
import "../http_test.ts";
import "../http_changes_test.ts";
import "../http_look_test.ts";
import "../http_parts_test.ts";
import "../http_read_test.ts";
import "../http_redirect_test.ts";
import "../http_retry_test.ts";
import "../http_secrets_test.ts";
import "../http_tools_test.ts";
import "../kernel_pool_test.ts";
import "../limits_test.ts";
import "../line_index_test.ts";
import "../line_stream_test.ts";
import "../memory_test.ts";
import "../mount_test.ts";
import "../mount_links_test.ts";
import "../narrow_test.ts";
import "../narrow_chains_test.ts";
import "../open_file_test.ts";
import "../open_file_error_test.ts";
import "../open_file_limits_test.ts";
import "../open_file_range_test.ts";
import "../overlay_test.ts";
import "../overlay_links_test.ts";
import "../pages_test.ts";
import "../pages_changed_test.ts";
import "../pages_random_test.ts";
import "../pages_versions_test.ts";
import "../path_roles_test.ts";
import "../port_suite_test.ts";
import "../proof_test.ts";
import "../r2_test.ts";
import "../r2_binding_test.ts";
import "../r2_changes_test.ts";
import "../r2_costs_test.ts";
import "../r2_tools_test.ts";
import "../read_ahead_test.ts";
import "../read_test.ts";
import "../read_many_test.ts";
import "../read_many_random_test.ts";
import "../read_costs_test.ts";
import "../read_limits_test.ts";
import "../scan_test.ts";
import "../secret_files_test.ts";
import "../tool_catalog_test.ts";
import "../toolkit_test.ts";
import "../toolkit_arguments_test.ts";
import "../toolkit_checks_test.ts";
import "../toolkit_pages_test.ts";
import "../toolkit_policy_test.ts";
import "../toolkit_read_file_test.ts";
import "../toolkit_results_test.ts";
import "../toolkit_tools_test.ts";
import "../turnstile_test.ts";
import "../until_aborted_test.ts";
import "../definitions_test.ts";
import "../lenient_test.ts";
import "../nearest_test.ts";
import "../suggest_test.ts";
import "../help_test.ts";
import "../workspace_test.ts";
import { type HandedIn, handIn } from "../support/corpus.ts";
import { handInBucket, type TestBucket } from "../support/r2_bucket.ts";
import { run } from "./collector.ts";
import { storeGiant } from "./giant.ts";

/** What the worker is given. */
interface Environment {
  readonly CONFORMANCE: HandedIn;
  readonly BUCKET: TestBucket;
}

export default {
  async fetch(
    _request: Request,
    { CONFORMANCE, BUCKET }: Environment,
  ): Promise<Response> {
    handIn(CONFORMANCE);
    await storeGiant(BUCKET);
    handInBucket(BUCKET);
    return Response.json(await run());
  },
};
