"""What words released by crowds tell: counts of typed words, classifiers of typed texts."""
