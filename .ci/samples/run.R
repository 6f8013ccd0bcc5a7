# Runs samples of R: reads a list of {id, code} and tells what each printed.
Sys.setenv(TOKEN = "token", USERNAME = "user", PASSWORD = "secret")
options(width = 500)
for (case in jsonlite::fromJSON(commandArgs(TRUE)[1], simplifyVector = FALSE)) {
  setwd(tempdir())
  error <- ""
  output <- capture.output(tryCatch(
    source(exprs = parse(text = case$code, keep.source = FALSE), local = new.env(), print.eval = TRUE, echo = FALSE),
    error = function(e) error <<- conditionMessage(e)
  ))
  cat(jsonlite::toJSON(list(id = case$id, output = paste(output, collapse = "\n"), error = error), auto_unbox = TRUE), "\n", sep = "")
}
