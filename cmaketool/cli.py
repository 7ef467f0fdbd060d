def main():
    import cmaketool.resources as r; print(r.listing("templates",".keep"), r.bundled_manifest(), r.bundled_manifest().exists())
