// Privatizes one text with a bundle, in plain C: consumer BUNDLE EPSILON TEXT. Exits with the status of what failed.
#include <hushbit/hushbit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int privatize(const hushbit_privatizer* privatizer, const char* text, hushbit_error* error) {
  hushbit_result* result = NULL;
  hushbit_status status = hushbit_result_create(&result, error);
  if (status == HUSHBIT_OK) status = hushbit_privatize(privatizer, text, strlen(text), result, error);
  if (status == HUSHBIT_OK) {
    size_t length = 0;
    const char* released = hushbit_result_text(result, &length);
    hushbit_cost cost = {.struct_size = sizeof(cost)};
    status = hushbit_result_get_cost(result, &cost, error);
    printf("%.*s\n", (int)length, released);
    printf("cost: at most %.1f for %d words\n", cost.worst_case, (int)cost.words);
  }
  hushbit_result_destroy(result);
  return (int)status;
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: consumer BUNDLE EPSILON TEXT (hushbit %s)\n", hushbit_version());
    return 100;
  }
  hushbit_error error = {HUSHBIT_OK, 0, ""};
  hushbit_bundle* bundle = NULL;
  hushbit_privatizer* privatizer = NULL;
  int status = (int)hushbit_bundle_open(argv[1], &bundle, &error);
  if (status == HUSHBIT_OK) {
    hushbit_privatizer_options options = {.struct_size = sizeof(options)};
    status = (int)hushbit_privatizer_options_init(bundle, &options, &error);
    options.epsilon = atof(argv[2]);
    if (status == HUSHBIT_OK) status = (int)hushbit_privatizer_create(bundle, &options, &privatizer, &error);
  }
  hushbit_bundle_close(bundle);  // the privatizer keeps what it needs
  if (status == HUSHBIT_OK) status = privatize(privatizer, argv[3], &error);
  hushbit_privatizer_destroy(privatizer);
  if (status != HUSHBIT_OK) fprintf(stderr, "%s: %s\n", hushbit_status_name((hushbit_status)status), error.message);
  return status;
}
