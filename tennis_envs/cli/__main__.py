from tennis_envs.cli import main

main()
